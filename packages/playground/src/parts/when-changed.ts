import { createEffect, on } from 'solid-js';

/** Runs at each change of a value, but not for the first one. */
export function whenChanged<T>(value: () => T, act: (value: T) => void): void {
  createEffect(on(value, act, { defer: true }));
}
