// Chat templates of four kinds, with the tags that transformers makes masks by. They frame messages as those of public
// models do; none is a vendor's text.

const assistant = '{% generation %}{{ message.content | trim }}';

export const chatTemplates: Readonly<Record<string, string>> = {
  // <|im_start|>role … <|im_end|>, as Qwen and many others.
  chatml: `{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' -}}
{%- if message.role == 'assistant' -%}{% generation %}{{ message.content + '<|im_end|>' }}{% endgeneration %}{{ '\\n' }}
{%- else -%}{{ message.content + '<|im_end|>\\n' }}{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}`,
  // Contents are trimmed, and a token begins the text, as in Llama 3.
  trimmed: `{{- '<|endoftext|>' -}}{%- for message in messages -%}
{{- '<|start|>' + message.role + '<|message|>' -}}
{%- if message.role == 'assistant' -%}${assistant}{{ '<|eot_id|>' }}{% endgeneration %}
{%- else -%}{{ (message.content | trim) + '<|eot_id|>' }}{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|start|>assistant<|message|>' }}{%- endif -%}`,
  // Answers have no frame but their end, as in Mistral: [INST] question [/INST] answer</s>.
  unframed: `{%- for message in messages -%}
{%- if message.role == 'assistant' -%}${assistant}{{ '</s>' }}{% endgeneration %}
{%- else -%}{{ '[INST]' + message.content + '[/INST]' }}{%- endif -%}
{%- endfor -%}`,
  // Nothing ends an answer: the next frame does, as in GLM.
  endless: `{%- for message in messages -%}
{{- '<|' + message.role + '|>\\n' -}}
{%- if message.role == 'assistant' -%}${assistant}{% endgeneration %}
{%- else -%}{{ message.content }}{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|assistant|>\\n' }}{%- endif -%}`,
};
