import { describe, expect, it } from 'vitest';
import { withStops } from './hold.js';

describe('the end of a grammar', () => {
  it('allows one of the stops, once', () => {
    const gbnf = 'root ::= call call*\ncall ::= "<call>" [a-z]+\n';
    expect(withStops(gbnf, ['<|im_end|>', '', '\n"\\'])).toBe(
      'root ::= (call call*) (("\\n" | "\\n\\n")? ("<|im_end|>" | "\\n\\"\\\\"))?\ncall ::= "<call>" [a-z]+\n',
    );
    expect(withStops('root ::= "a"', [], true)).toBe('root ::= ("\\n" | "\\n\\n")? ("a")');
  });

  it('is as it was without stops', () => {
    expect(withStops('root ::= "a"', [])).toBe('root ::= "a"');
    expect(withStops('root ::= "a"', [''])).toBe('root ::= "a"');
  });
});
