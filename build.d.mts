interface BuildStep {
  says: string;
  /** A program of an installed package: `typescript/bin/tsc`. Absent: the first argument is a script. */
  tool?: string;
  args: string[];
  folder?: string;
}

export function stepsFor(argv: readonly string[], folder?: string): BuildStep[];
export function runSteps(steps: readonly BuildStep[], print?: (text: string) => void): number;
