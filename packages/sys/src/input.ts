// Reads the input of a tool member by member. The agent loop has validated it by its schema; other callers may not have.

import { ToolError } from '@dragoman/core/agent';

export class Input {
  readonly #members: Map<string, unknown>;

  constructor(input: unknown) {
    if (typeof input !== 'object' || input === null) throw new ToolError('The input must be an object.');
    this.#members = input instanceof Map ? input : new Map(Object.entries(input));
  }

  text(key: string, otherwise?: string): string {
    const value = this.#members.get(key) ?? otherwise;
    if (typeof value !== 'string') throw new ToolError(`${key} must be a text.`);
    return value;
  }

  /** A whole number from 1 on. */
  count(key: string, otherwise: number): number {
    const value = this.#members.get(key) ?? otherwise;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
      throw new ToolError(`${key} must be a whole number from 1 on.`);
    }
    return value;
  }

  flag(key: string): boolean {
    const value = this.#members.get(key) ?? false;
    if (typeof value !== 'boolean') throw new ToolError(`${key} must be true or false.`);
    return value;
  }
}
