// Constants that are exactly as they were written (`isExact` of fields.ts), so that nobody has to walk through them again.

export const exactConstants = new WeakSet<object>();
