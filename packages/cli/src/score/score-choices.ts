// Words that options of `dragoman score` take. Imports nothing, because the command line is read before the rest loads.

export const LAYOUTS = ['plain', 'bfcl', 'lm-eval', 'inspect'] as const;

/** `any`: errors of the model, too. */
export const FAIL_ON = ['any', 'parser', 'never'] as const;
