import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { routesOf, wires } from '@dragoman/core/wire';
import ts from 'typescript-6';
import { describe, expect, it } from 'vitest';
import { lineOf, packageNames, parseSource, readSource, root, sourcePaths, walk } from './sources.js';

const core = 'packages/core/src';
const convert = 'packages/convert/src';

/** The allowed imports: the folders of core that each folder may import besides itself. */
const arrows: Record<string, readonly string[]> = {
  model: [],
  text: ['model'],
  schema: ['model', 'text'],
  engine: ['model', 'text', 'schema'],
  grammar: ['model', 'text', 'schema', 'engine'],
  template: ['model', 'text', 'engine'],
  families: ['model', 'text', 'schema', 'engine', 'grammar'],
  dialects: ['model', 'text', 'schema', 'engine', 'grammar', 'families'],
  explain: ['model', 'engine'],
  wire: ['model'],
  bridge: ['model', 'text', 'schema', 'engine', 'grammar', 'families', 'dialects', 'wire'],
  agent: ['model', 'bridge'],
  testing: ['model', 'text', 'schema', 'engine', 'grammar', 'families', 'dialects'],
  adapters: ['model', 'wire', 'bridge', 'agent'],
  entries: [
    'model',
    'text',
    'schema',
    'engine',
    'grammar',
    'template',
    'families',
    'dialects',
    'explain',
    'wire',
    'testing',
  ],
  index: ['model', 'engine', 'template', 'families', 'dialects', 'entries'],
};

/**
 * The arrows of convert. Forms, text, training data and quick ways convert a row, score reads one again: one layer that
 * knows no files. Files use rows, the queue uses files.
 */
const convertArrows: Record<string, readonly string[]> = {
  forms: ['text', 'quick', 'train', 'score'],
  text: ['forms', 'quick', 'train'],
  quick: ['forms', 'text'],
  train: ['forms', 'text'],
  score: ['forms', 'quick'],
  index: ['forms', 'quick', 'train', 'score'],
  files: ['forms', 'train', 'score'],
  queue: ['forms', 'files'],
};
const rowLayer: readonly string[] = ['forms', 'text', 'quick', 'train', 'score', 'index'];

/** The packages core may import, and the files that may do so. */
const guests: Record<string, RegExp> = {
  '@cfworker/json-schema': /^schema\//,
  '@huggingface/jinja': /^template\//,
  'eventsource-parser': /^wire\//,
};

interface Import {
  specifier: string;
  line: number;
}

function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = [];
  walk(source, (node) => {
    const specifier = specifierOf(node);
    if (specifier) found.push({ specifier: specifier.text, line: lineOf(source, specifier) });
  });
  return found;
}

/** Gives the specifier of `import … from`, `export … from`, `import('…')` as a value or a type, `import x = require('…')`. */
function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  let specifier: ts.Node | undefined;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) specifier = node.moduleSpecifier;
  else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    specifier = node.argument.literal;
  else if (ts.isExternalModuleReference(node)) specifier = node.expression;
  else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    specifier = node.arguments[0];
  }
  return specifier && ts.isStringLiteralLike(specifier) ? specifier : undefined;
}

/** Gives the folder; of a file at the top, its name. */
function folderOf(pathInCore: string): string {
  return (pathInCore.split('/')[0] ?? pathInCore).replace(/\.[jt]s$/, '');
}

/** Gives the forbidden imports of one file of core, each as a sentence that names the file and the arrow. */
function coreFaults(source: ts.SourceFile): string[] {
  const path = posix.relative(core, source.fileName);
  const folder = folderOf(path);
  const allowed = arrows[folder];
  if (!allowed) return [`${source.fileName}: is in no folder of the plan (${folder})`];
  const faults: string[] = [];
  for (const { specifier, line } of importsOf(source)) {
    const at = `${source.fileName}:${line}`;
    if (!specifier.startsWith('.')) {
      if (!guests[specifier]?.test(path)) faults.push(`${at}: ${folder} → '${specifier}' is not allowed`);
      continue;
    }
    const target = posix.join(posix.dirname(path), specifier);
    const targetFolder = folderOf(target);
    if (target.startsWith('..')) faults.push(`${at}: ${folder} → outside of core ('${specifier}')`);
    else if (targetFolder !== folder && !allowed.includes(targetFolder)) {
      faults.push(`${at}: ${folder} → ${targetFolder} is no arrow of the plan ('${specifier}')`);
    }
  }
  return faults;
}

/** A row is converted without Node, so that a page can do it. */
function convertFaults(source: ts.SourceFile): string[] {
  const path = posix.relative(convert, source.fileName);
  const folder = folderOf(path);
  const faults: string[] = [];
  for (const { specifier, line } of importsOf(source)) {
    const target = folderOf(posix.join(posix.dirname(path), specifier));
    const isAllowed = specifier.startsWith('.')
      ? target === folder || convertArrows[folder]?.includes(target)
      : !rowLayer.includes(folder) || specifier.startsWith('@dragoman/core');
    if (!isAllowed) faults.push(`${source.fileName}:${line}: ${folder} → '${specifier}' is not allowed`);
  }
  return faults;
}

/** Other packages reach core by its public entries, and no package by a path. */
function guestFaults(source: ts.SourceFile, entries: readonly string[]): string[] {
  const home = source.fileName.split('/').slice(0, 2).join('/');
  const faults: string[] = [];
  for (const { specifier, line } of importsOf(source)) {
    const at = `${source.fileName}:${line}`;
    if (specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(source.fileName), specifier);
      if (!target.startsWith(`${home}/`))
        faults.push(`${at}: ${home} → ${target} leaves the package by a path`);
    } else if (/^@dragoman\/core(\/|$)/.test(specifier) && !entries.includes(specifier)) {
      faults.push(`${at}: ${home} → '${specifier}' is no public entry of core`);
    }
  }
  return faults;
}

function coreEntries(): string[] {
  const manifest = JSON.parse(readFileSync(`${root}packages/core/package.json`, 'utf8'));
  return Object.keys(manifest.exports).map((entry) => posix.join('@dragoman/core', entry));
}

function dialectNames(): string[] {
  return readdirSync(`${root}packages/core/corpus/wild`);
}

function nameFaults(source: ts.SourceFile, names: readonly string[]): string[] {
  const faults: string[] = [];
  walk(source, (node) => {
    if (ts.isStringLiteralLike(node) && names.includes(node.text)) {
      faults.push(
        `${source.fileName}:${lineOf(source, node)}: names the dialect '${node.text}': ask for a trait`,
      );
    }
  });
  return faults;
}

/** What the chat API and the Messages API call the members of their messages and tools. */
const messageMembers: readonly string[] = [
  'tool_calls',
  'tool_call_id',
  'function_call',
  'reasoning_content',
  'image_url',
  'tool_use',
  'tool_use_id',
  'tool_result',
  'is_error',
  'redacted_thinking',
  'input_schema',
  'tool_choice',
];

/** Where a file names a member of an API's messages, as a string or as a property. */
function memberFaults(source: ts.SourceFile): string[] {
  const faults: string[] = [];
  walk(source, (node) => {
    if ((ts.isStringLiteralLike(node) || ts.isIdentifier(node)) && messageMembers.includes(node.text)) {
      const at = `${source.fileName}:${lineOf(source, node)}`;
      faults.push(`${at}: names '${node.text}': the codec of the API in core/src/wire knows it`);
    }
  });
  return faults;
}

/** What belongs to one API: its name, the paths it is served at, its header for keys. */
const apiWords = [
  ...wires.flatMap(({ name, auth }) =>
    auth.keyHeader === 'authorization' ? [name] : [name, auth.keyHeader],
  ),
  ...routesOf(wires).map(({ path }) => path),
];

/** Files that speak one API, as any client of a gateway does. */
const clientsOfOneApi = [
  // The command that is shown when a gateway has started.
  'packages/cli/src/greeting.ts',
  // The page asks the models of its gateway.
  'packages/playground/src/gateway/gateway.ts',
];

/** Code that every API shares: all but the folders of the APIs and their list. */
function sharedByApis(): string[] {
  const own = [...wires.map(({ name }) => `${core}/wire/${name}/`), `${core}/wire/index.ts`];
  return packageNames()
    .flatMap((name) => sourcePaths(`packages/${name}/src`))
    .filter((path) => ![...own, ...clientsOfOneApi].some((start) => path.startsWith(start)));
}

/** Only files that hold such a word are parsed: there are many files. */
function mayNameApi(path: string): boolean {
  const text = readFileSync(root + path, 'utf8');
  return apiWords.some((word) => text.includes(word));
}

function apiFaults(source: ts.SourceFile): string[] {
  const faults: string[] = [];
  walk(source, (node) => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (!isText || ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)) return;
    const word = apiWords.find((one) => node.text.includes(one));
    if (word === undefined) return;
    faults.push(
      `${source.fileName}:${lineOf(source, node)}: knows of '${word}': ask for a field of the Wire`,
    );
  });
  return faults;
}

describe('the folders', () => {
  it('core imports along the arrows only', () => {
    const paths = sourcePaths(core);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.flatMap((path) => coreFaults(readSource(path)))).toEqual([]);
  });

  it('convert imports along its arrows only', () => {
    const paths = sourcePaths(convert);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.flatMap((path) => convertFaults(readSource(path)))).toEqual([]);
  });

  it('other packages reach core by its public entries only', () => {
    const paths = packageNames()
      .filter((name) => name !== 'core')
      .flatMap((name) => sourcePaths(`packages/${name}/src`));
    const entries = coreEntries();
    expect(paths.flatMap((path) => guestFaults(readSource(path), entries))).toEqual([]);
  });

  it('shared code names no dialect', () => {
    const names = dialectNames();
    const paths = ['model', 'text', 'schema', 'engine', 'grammar', 'template', 'families'].flatMap((folder) =>
      sourcePaths(`${core}/${folder}`),
    );
    expect(paths.flatMap((path) => nameFaults(readSource(path), names))).toEqual([]);
  });

  it('the converter names no member of an API: only the codecs of wire do', () => {
    // ShareGPT has roles of these names, and the logs of other programs members.
    const foreign = /sharegpt-form|score\/layouts\//;
    const paths = sourcePaths('packages/convert/src').filter((path) => !foreign.test(path));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.flatMap((path) => memberFaults(readSource(path)))).toEqual([]);
  });
});

/** What a module does when it is imported beside defining: statements, and code in classes that runs at once. */
function effects(source: ts.SourceFile): string[] {
  const faults: string[] = [];
  const fault = (node: ts.Node) =>
    faults.push(`${source.fileName}:${lineOf(source, node)}: acts when it is imported`);
  for (const statement of source.statements) {
    if (!isDefinition(statement)) fault(statement);
    else if (ts.isImportDeclaration(statement) && !statement.importClause) fault(statement);
    else if (ts.isClassDeclaration(statement))
      for (const member of statement.members) if (ts.isClassStaticBlockDeclaration(member)) fault(member);
  }
  return faults;
}

function isDefinition(node: ts.Statement): boolean {
  return (
    ts.isVariableStatement(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

describe('a module of core', () => {
  it('does nothing when it is imported but define', () => {
    expect(sourcePaths(core).flatMap((path) => effects(readSource(path)))).toEqual([]);
  });

  it.each([
    ['for (const dialect of dialects) addDialect(dialect);'],
    ['attachOwnRules();'],
    ['hermes.constrain = rules;'],
    [`import './register.js';`],
    ['class Registry { static { addDialect(hermes); } }'],
    ['if (globalThis.process) start();'],
  ])('is seen to act: %s', (text) => {
    expect(effects(parseSource(`${core}/dialects/index.ts`, text))).toHaveLength(1);
  });

  it.each([
    [`import { x } from './x.js'; import type { Y } from './y.js'; export * from './z.js';`],
    ['export const all = createRegistry([hermes]); const known = new WeakMap();'],
    ['export class Reader { #at = 0; static readonly LIMIT = 1; } function f() { let at = 0; at++; }'],
  ])('may say: %s', (text) => {
    expect(effects(parseSource(`${core}/dialects/index.ts`, text))).toEqual([]);
  });
});

describe('shared code', () => {
  it('names no API, nor what belongs to one', () => {
    const paths = sharedByApis();
    expect(paths.length).toBeGreaterThan(500);
    expect(paths.filter(mayNameApi).flatMap((path) => apiFaults(readSource(path)))).toEqual([]);
  });
});

describe('the guard of the folders', () => {
  const faultsAt = (path: string, text: string) => coreFaults(parseSource(`${core}/${path}`, text));

  it.each([
    ['text/tags.ts', `import { x } from '../engine/parser.js';`, 'text → engine'],
    ['model/json.ts', `export * from '../text/cursor.js';`, 'model → text'],
    ['wire/openai/decode.ts', `import type { D } from '../../engine/dialect.js';`, 'wire → engine'],
    ['engine/parser.ts', `type D = import('../dialects/index.js').D;`, 'engine → dialects'],
    ['text/cursor.ts', `const load = () => import('../index.js');`, 'text → index'],
    ['schema/coerce.ts', `import { readFileSync } from 'node:fs';`, `schema → 'node:fs'`],
    ['schema/coerce.ts', `import { Template } from '@huggingface/jinja';`, `schema → '@huggingface/jinja'`],
    ['text/json.ts', `import { Validator } from '@cfworker/json-schema';`, `text → '@cfworker/json-schema'`],
    ['text/json.ts', `import x from '../../../cli/src/main.js';`, 'text → outside of core'],
    ['shed/tools.ts', ``, 'is in no folder'],
  ])('sees in %s that %s is wrong', (path, text, fault) => {
    expect(faultsAt(path, text).join()).toContain(`${core}/${path}`);
    expect(faultsAt(path, text).join()).toContain(fault);
  });

  it.each([
    ['engine/parser.ts', `import { x } from '../text/cursor.js'; import { y } from './dialect.js';`],
    ['template/template.ts', `import { Template } from '@huggingface/jinja';`],
    ['families/tags/tagged.ts', `import { x } from '../../engine/parser.js';`],
    ['index.ts', `export * from './dialects/index.js';`],
    ['model/json.ts', `// import { x } from '../text/cursor.js'\nconst s = "import x from 'node:fs'";`],
  ])('lets %s say %s', (path, text) => {
    expect(faultsAt(path, text)).toEqual([]);
  });

  it.each([
    ['forms/convert.ts', `import { readFileSync } from 'node:fs';`],
    ['forms/convert.ts', `import { openStream } from '../files/open-stream.js';`],
    ['files/plan.ts', `import { planShards } from '../queue/plan-shards.js';`],
    ['quick/json.ts', `import { Worker } from 'bullmq';`],
  ])('sees in convert/%s that %s is wrong', (path, text) => {
    expect(convertFaults(parseSource(`${convert}/${path}`, text))).toHaveLength(1);
  });

  it('sees a way into core that is not public', () => {
    const faults = (text: string) =>
      guestFaults(parseSource('packages/cli/src/commands/parse.ts', text), coreEntries());
    expect(faults(`import '@dragoman/core'; import '@dragoman/core/testing'; import '../main.js';`)).toEqual(
      [],
    );
    expect(faults(`import '@dragoman/core/dist/text/json.js';`)).toHaveLength(1);
    expect(faults(`import '../../../core/src/index.js';`)).toHaveLength(1);
  });

  it('sees the name of a dialect in shared code', () => {
    const source = parseSource(`${core}/engine/parser.ts`, `if (dialect.name === 'hermes') flush();`);
    expect(nameFaults(source, ['hermes'])).toHaveLength(1);
    expect(nameFaults(source, ['glm-4.5'])).toEqual([]);
  });

  it('sees a member of an API in the converter', () => {
    const faults = (text: string) => memberFaults(parseSource('packages/convert/src/forms/form.ts', text));
    expect(faults(`const members = { tool_calls: [] }; members['tool_call_id'] = '';`)).toHaveLength(2);
    expect(faults(`// tool_calls\nconst about = 'rows with tool_calls';`)).toEqual([]);
  });

  it('sees what belongs to one API in shared code', () => {
    const faults = (text: string) => apiFaults(parseSource(`${core}/bridge/reply/respond.ts`, text));
    expect(faults(`if (wire.name === 'openai-chat') flush();`)).toHaveLength(1);
    expect(faults('fetch(`http://localhost/v1/messages`);')).toHaveLength(1);
    expect(faults(`headers.get('x-api-key')`)).toHaveLength(1);
    expect(faults(`import { toMedia } from '../wire/openai-chat/media.js'; // openai-chat`)).toEqual([]);
  });
});
