export const page: string;
export const NO_REASON: string;
/** The rows of the page for the templates of a folder: those that are compared, and those that are not. */
export function tablesOf(folder: string): { rows: string[][]; absent: string[][] };
