import type { renderTemplate } from '../../packages/core/src/template/template.js';

export interface VendorCase {
  name: string;
  thinking?: boolean;
  generate?: boolean;
  options?: Record<string, unknown>;
  request: unknown;
  prompt: string;
}

export interface VendorPrompts {
  template: string;
  variables?: Record<string, unknown>;
  now?: string;
  arguments?: 'text';
  left?: Record<string, string>;
  cases: VendorCase[];
}

export const promptsFolder: string;
export function promptOf(name: string): { dialect: string; model?: string };
export function vendorPrompt(
  render: typeof renderTemplate,
  template: string,
  file: Omit<VendorPrompts, 'cases'>,
  asked: Omit<VendorCase, 'prompt'>,
): string;
