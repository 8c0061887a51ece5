// The container images that a file names: `FROM` of a Dockerfile, `image` of YAML and of the YAML in documents. Not the
// `container` of a job in a workflow, which follows its tag.

const isDockerfile = (path: string) => /(^|\/|\.)(Docker|Container)file(\.[\w-]+)?$/i.test(path);
const isYaml = (path: string) => /\.(ya?ml|md)$/.test(path);

/** The names of images, where a variable has a default with the default. Not those of stages of the same Dockerfile. */
export function imagesOf(path: string, text: string): string[] {
  if (isDockerfile(path)) return imagesOfDockerfile(text);
  if (!isYaml(path)) return [];
  const named = /^[\s>-]*["']?image["']?:[ \t]+(\$\{[^}\n]*\}|[^\s#{|>][^\s#]*)/gm;
  return [...text.matchAll(named)].map(([, name = '']) => withDefault(unquoted(name)));
}

function imagesOfDockerfile(text: string): string[] {
  const set = new Map([...text.matchAll(/^ARG\s+(\w+)=(\S+)/gim)].map(([, name, value]) => [name, value]));
  const stages = new Set<string>();
  const images: string[] = [];
  for (const [, name = '', stage] of text.matchAll(/^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/gim)) {
    const full = name.replace(/\$\{?(\w+)\}?/g, (written, variable) => set.get(variable) ?? written);
    if (!stages.has(full) && full !== 'scratch') images.push(withDefault(full));
    if (stage !== undefined) stages.add(stage);
  }
  return images;
}

const unquoted = (name: string) => name.replace(/^["']|["']$/g, '');

function withDefault(name: string): string {
  return /^\$\{\w+:?-(.*)\}$/.exec(name)?.[1] ?? name;
}
