// `renderTemplate` of '@dragoman/core': the engine is loaded when the first template is rendered, not before.

import type { RenderedTemplate, TemplateOptions } from './template.js';

export type { RenderedTemplate, TemplateOptions };

/** As `renderTemplate` of '@dragoman/core/template', which see. */
export async function renderTemplate(
  template: string | object,
  request: unknown,
  options?: TemplateOptions,
): Promise<RenderedTemplate> {
  const engine = await import('./template.js');
  return engine.renderTemplate(template, request, options);
}
