// Every output of the corpus, with the dialect it was written in.

import { readdirSync, readFileSync } from 'node:fs';
import { type Dialect, dialects, type ParserOptions } from '@dragoman/core';

export interface Output {
  name: string;
  dialect: Dialect;
  text: string;
  options: ParserOptions;
}

const corpus = new URL('../../../core/corpus/', import.meta.url);

export function corpusOutputs(): Output[] {
  return dialects.flatMap((dialect) => [...wild(dialect), ...conversations(dialect)]);
}

function wild(dialect: Dialect): Output[] {
  const folder = new URL(`wild/${dialect.name}/`, corpus);
  return readdirSync(folder).map((file) => {
    const { text, tools, thinking, policies } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    return { name: `wild/${dialect.name}/${file}`, dialect, text, options: { tools, thinking, policies } };
  });
}

function conversations(dialect: Dialect): Output[] {
  const folder = new URL('conversations/', corpus);
  return readdirSync(folder).map((name) => {
    const file = new URL(`${name}/${dialect.name}.txt`, folder);
    const { tools } = JSON.parse(readFileSync(new URL(`${name}/conversation.json`, folder), 'utf8'));
    return { name: `${name}/${dialect.name}`, dialect, text: readFileSync(file, 'utf8'), options: { tools } };
  });
}
