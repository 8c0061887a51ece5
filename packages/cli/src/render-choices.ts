// The values of the rendering options. In a file of their own, so that help and completion load nothing else.

import type { Safety } from '@dragoman/core';

export const SAFETIES: readonly Safety[] = ['escape', 'reject', 'exact'];
export const LANGUAGES = ['en', 'zh'] as const;

/** How Parquet holds the arguments of calls. */
export const ARGUMENTS = ['json', 'struct'] as const;
/** What a model writes: the kinds of a mask. */
export const MASK_KINDS = ['reasoning', 'text', 'calls', 'end'] as const;
