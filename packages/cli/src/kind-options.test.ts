import { engineNames } from '@dragoman/core/bridge';
import { expect, it } from 'vitest';
import { ENGINES } from './kind-options.js';

it('the command knows the engines that the bridge knows', () => {
  expect(ENGINES).toEqual(engineNames);
});
