// The tiny model, beside the demo or as an upstream of kind `tiny`: `tiny`, which speaks hermes, and `tiny/<dialect>`.
// It is in a package of its own that this one does not install: what is needed of it before the first question is
// written here.

import { all, type Dialect, type Registry } from '@dragoman/core';
import { type BridgeOptions, dialectOfModel, type Upstream } from '@dragoman/core/bridge';

const PACKAGE = '@dragoman/tiny';
export const TINY_PREFIX = 'tiny/';
const DEFAULT_DIALECT = 'hermes';

export type TinyPackage = typeof import('@dragoman/tiny');

/** Gives the names of the models: `tiny`, and one for each dialect of the registry. */
export function tinyModels(dialects: Registry = all): string[] {
  return ['tiny', ...dialects.dialects.map(({ name }) => TINY_PREFIX + name)];
}

/** Whether a model's name is one of the tiny model's, whatever the dialect. */
export function isTiny(model: string): boolean {
  return model === 'tiny' || model.startsWith(TINY_PREFIX);
}

/** Gives the dialect of a name; undefined if it is none of the tiny model, or of no known dialect. */
export function tinyDialect(model: string, dialects: Registry = all): Dialect | undefined {
  const name = model === 'tiny' ? DEFAULT_DIALECT : model.slice(TINY_PREFIX.length);
  return isTiny(model) && dialects.has(name) ? dialects.find(name) : undefined;
}

/** Gives the dialect of a configured model: the given one, else by the name of the model, else as `tiny`. */
export function chooseTinyDialect(
  model: string,
  given: BridgeOptions['dialect'] = 'auto',
  dialects: Registry = all,
): Dialect {
  if (typeof given !== 'string') return given;
  if (given !== 'auto') return dialects.find(given);
  return tinyDialect(model, dialects) ?? dialectOfModel(model, dialects) ?? dialects.find(DEFAULT_DIALECT);
}

/** What the bridge needs to ask the model in one dialect. */
export interface TinyOptions extends Pick<BridgeOptions, 'render'> {
  upstream: Upstream;
  dialect: Dialect;
}

/** Gives the bridge's options for the model in a dialect. The package is loaded with the first question. */
export function tinyOptions(dialect: Dialect, load: () => Promise<TinyPackage>): TinyOptions {
  const isWhole = dialect.render.prompt !== undefined;
  const upstream: Upstream = {
    takes: isWhole ? 'prompt' : 'messages',
    origins: true,
    tools: false,
    media: false,
    specialTokens: () => ({ state: 'asked', advice: 'the model writes them itself' }),
    async *ask(request, context) {
      const { createTinyUpstream } = await load();
      yield* createTinyUpstream({ dialect }).ask(request, context);
    },
  };
  // It was trained without reasoning and, since its context is small, with the short form of what teaches a dialect.
  return { upstream, dialect, render: { thinking: false, ...(!isWhole && { short: true }) } };
}

/** How to get the package, for people. */
export const TINY_ADVICE = `The tiny model is in a package of its own: npm install ${PACKAGE}`;
