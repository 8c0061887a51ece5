interface SmallButtonProps {
  /** For screen readers, and shown on hover. */
  label: string;
  sign: string;
  /** The class by which it is found again when its row has moved. */
  class?: string;
  disabled?: boolean;
  onClick(): void;
}

export function SmallButton(props: SmallButtonProps) {
  return (
    <button
      type="button"
      class={`write-small ${props.class ?? ''}`}
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled ?? false}
      onClick={() => props.onClick()}
    >
      {props.sign}
    </button>
  );
}
