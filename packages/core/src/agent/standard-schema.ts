// Standard Schema, the interface that zod, valibot, ArkType and others share: https://standardschema.dev.
// Core knows it by its shape only, so that it depends on none of them.

interface Props<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly validate: (value: unknown) => Checked<Output> | Promise<Checked<Output>>;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': Props<Input, Output>;
}

type Checked<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The output of a schema for a valid input. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

/** ArkType's schemas are functions, the others' are objects. */
export function asStandardSchema(value: unknown): StandardSchema | undefined {
  const carries = (typeof value === 'object' && value !== null) || typeof value === 'function';
  const props = carries ? (value as Partial<StandardSchema>)['~standard'] : undefined;
  return typeof props?.validate === 'function' ? (value as StandardSchema) : undefined;
}
