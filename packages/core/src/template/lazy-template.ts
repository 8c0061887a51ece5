// `renderTemplate` of '@dragoman/core': it loads the template engine lazily, with the first template.

import type { RenderedTemplate, TemplateOptions } from './template.js';

export type { RenderedTemplate, TemplateOptions };

/** Does the same as `renderTemplate` of '@dragoman/core/template'. */
export async function renderTemplate(
  template: string | object,
  request: unknown,
  options?: TemplateOptions,
): Promise<RenderedTemplate> {
  const engine = await import('./template.js');
  return engine.renderTemplate(template, request, options);
}
