// The JSON schema for editors. A test compares dragoman.config.schema.json with it.
//
//   DRAGOMAN_WRITE=1 npx vitest run packages/gateway/src/config/json-schema.test.ts     writes it anew

import { z } from 'zod';
import { configShape } from './shape.js';

export function configJsonSchema(): object {
  const schema = z.toJSONSchema(configShape, { io: 'input', target: 'draft-7', reused: 'ref' });
  return { ...schema, title: 'Dragoman gateway', description: 'dragoman.config.yaml, or .json' };
}
