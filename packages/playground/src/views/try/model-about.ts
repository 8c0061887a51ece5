// What a newcomer should know of a model before asking it.

import { findDialect } from '@dragoman/core';

const demo = 'The demo model is a few rules and no neural network: it shows the way, not the wit.';

export function aboutModel(id: string): string {
  if (id === 'demo') return `${demo} Its calls are written in the dialect that is taught to any model.`;
  const dialect = id.startsWith('demo/') ? dialectNamed(id.slice('demo/'.length)) : undefined;
  return dialect ? `${demo} It writes ${dialect.name}: ${dialect.about}` : '';
}

function dialectNamed(name: string) {
  try {
    return findDialect(name);
  } catch {
    return undefined;
  }
}
