/** The folder of @mlc-ai/web-xgrammar. Throws where it is not there and cannot be had. */
export function findXgrammar(): Promise<string>;
