// The list of forms, and how to find one by its name.

import { type DialectDeclaration, defineDialect } from '@dragoman/core';
import { type Dialect, findDialect, UsageError } from '@dragoman/core/internal';
import { type MessagesFormOptions, messagesForm } from '../text/messages-form.js';
import { type PromptFormOptions, promptForm } from '../text/prompt-form.js';
import type { TrainingOptions } from '../train/training.js';
import { anthropicForm, openaiForm } from './api-form.js';
import type { Form } from './form.js';
import { glaiveForm } from './glaive-form.js';
import { sharegptForm } from './sharegpt-form.js';
import { toolaceForm } from './toolace-form.js';

export interface FormOptions extends TextFormOptions {
  /** The dialect of the text, or its name, for forms that need one. */
  dialect?: Dialect | string;
}

/** Options of the forms that are text in a dialect; each form picks its own. */
export interface TextFormOptions {
  tools?: MessagesFormOptions['tools'];
  member?: PromptFormOptions['member'];
  render?: MessagesFormOptions['render'] & PromptFormOptions['render'];
  /** What rows of training data have beside the text. */
  training?: TrainingOptions;
}

/** A form that is text in a dialect: `create` makes it for one dialect. */
export interface DialectForm {
  readonly name: string;
  readonly about: string;
  readonly needsDialect: true;
  create(dialect: Dialect, options?: TextFormOptions): Form;
}

/** All forms. A new form is one line here. */
export const forms: readonly (Form | DialectForm)[] = [
  openaiForm,
  anthropicForm,
  sharegptForm,
  toolaceForm,
  glaiveForm,
  messagesForm,
  promptForm,
];

export const formNames: readonly string[] = forms.map((form) => form.name);

/** Finds a form by its name. Throws a UsageError that lists the known forms, or names what is missing. */
export function findForm(name: string, options: FormOptions = {}): Form {
  const found = forms.find((form) => form.name === name);
  if (found === undefined) {
    const known = formNames.map((known) => `'${known}'`).join(', ');
    throw new UsageError('bad-options', `there is no form named '${name}': the forms are ${known}`);
  }
  if (!('create' in found)) return found;
  const { dialect, ...others } = options;
  if (dialect === undefined) {
    throw new UsageError(
      'bad-options',
      `rows of the form '${name}' are text in a dialect: name the dialect, too`,
    );
  }
  return found.create(typeof dialect === 'string' ? findDialect(dialect) : dialect, others);
}

/** A form as plain data, which can be sent to threads and machines. */
export interface FormChoice {
  form: string;
  /** For a form that is text in a dialect: the dialect's name, or its declaration. */
  dialect?: string | DialectDeclaration;
  options?: Omit<TextFormOptions, 'training'>;
}

/** Makes the form. Throws a UsageError as `findForm` does. */
export function formOf({ form, dialect, options }: FormChoice, training?: TrainingOptions): Form {
  if (dialect === undefined) return findForm(form, { ...options });
  return findForm(form, {
    ...options,
    ...(training && { training }),
    dialect: typeof dialect === 'string' ? dialect : defineDialect(dialect),
  });
}
