export function createAnchors(): (title: string) => string;
