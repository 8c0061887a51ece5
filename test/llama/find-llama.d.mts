/** The folder of node-llama-cpp. Throws where it is not there and cannot be had. */
export function findLlama(): Promise<string>;
