// Errors as plain data, for the way from one process to another.

import { ApiError, UsageError } from '@dragoman/core';

export interface PlainError {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  /** Of an ApiError: seconds. */
  retryAfter?: number;
}

export function toPlainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack, code, retryAfter } = error as Error & Partial<PlainError>;
  return {
    name,
    message,
    ...(stack !== undefined && { stack }),
    ...(typeof code === 'string' && { code }),
    ...(typeof retryAfter === 'number' && { retryAfter }),
  };
}

/** Gives an error of the same class, as far as callers tell classes apart. */
export function fromPlainError({ name, message, code, stack, retryAfter }: PlainError): Error {
  if (name === 'ApiError')
    return new ApiError(code as ApiError['code'], message, {
      ...(retryAfter !== undefined && { retryAfter }),
    });
  if (name === 'UsageError') return new UsageError(code as UsageError['code'], message);
  const error = Object.assign(new Error(message), { ...(code !== undefined && { code }) });
  if (stack !== undefined) error.stack = stack;
  return error;
}
