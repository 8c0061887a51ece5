// biome-ignore lint/suspicious/noExplicitAny: the shapes are the SDK's, and change with it. Its types are not imported.
export type Loose = any;
