// A GGUF file as an upstream: the dialect that it speaks, and the form of prompt that it takes.

import type { Dialect, Registry } from '@dragoman/core';
import type { Upstream } from '@dragoman/core/bridge';
import { type ChosenDialect, chooseDialect, takesWholePrompt } from './choose-dialect.js';
import type { GgufFile } from './gguf/gguf-files.js';
import { createLocalUpstream, type LocalUpstreamOptions } from './local-upstream.js';

export interface GgufUpstreamOptions extends Pick<LocalUpstreamOptions, 'grammar' | 'lease'> {
  /** A dialect or its name; `auto`, the default: by the chat template and the name of the model. */
  dialect?: string | Dialect;
  dialects?: Registry;
  /** A chat template that takes the place of the file's own. */
  template?: string;
}

export interface GgufUpstream {
  upstream: Upstream;
  chosen: ChosenDialect;
  /** Whether the model gets the dialect's own prompt, or messages by its chat template. */
  form: 'prompt' | 'template';
}

/** Throws a LocalModelError if no prompt can be written for the model, and a UsageError for an unknown dialect. */
export function createGgufUpstream(file: GgufFile, options: GgufUpstreamOptions): GgufUpstream {
  const { dialect, dialects, grammar, lease, template = file.info.template } = options;
  const info = template === undefined ? file.info : { ...file.info, template };
  const described = { name: file.name, info };
  const chosen = chooseDialect(described, dialect, dialects);
  const isWhole = options.template === undefined && takesWholePrompt(described, chosen);
  const { bosToken, eosToken } = info;
  const upstream = createLocalUpstream({
    dialect: chosen.dialect,
    name: info.name ?? file.name,
    lease,
    reasons: reasons(info, chosen.dialect),
    ...(grammar !== undefined && { grammar }),
    ...(!isWhole &&
      template !== undefined && {
        template: {
          template,
          ...(bosToken !== undefined && { bosToken }),
          ...(eosToken !== undefined && { eosToken }),
        },
      }),
  });
  return { upstream, chosen, form: isWhole ? 'prompt' : 'template' };
}

/** A grammar that allows reasoning lets a model without any write it for ever: only the template tells. */
function reasons({ template }: GgufFile['info'], { traits }: Dialect): boolean {
  const open = traits.reasoning?.open.trim();
  return open !== undefined && template?.includes(open) === true;
}
