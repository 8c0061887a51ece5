"""Makes python-literal.fixture.json: literals, and what Python itself reads in them.

    python3 python-literal.fixture.py > python-literal.fixture.json

`json` is json.dumps(ast.literal_eval(literal)), or null where Python or JSON refuses.
"""

import ast
import json
import random
import sys
import warnings

warnings.simplefilter('ignore')
rng = random.Random(7)
CHARS = 'ab \'"\\\n\t{}[](),:#é漢😀\u2028\x00\x7f'


def spaces():
    return rng.choice(['', '', '', ' ', '  ', '\t', '\n', '\r\n', ' # ]}\'"\n', '\\\n'])


def string():
    text = ''.join(rng.choice(CHARS) for _ in range(rng.randrange(8)))
    style = rng.randrange(8)
    if style == 0:
        return '"""' + text.replace('\\', '\\\\').replace('"', '\\"').replace('\x00', '\\0') + '"""'
    if style == 1:
        return "r'" + ''.join(c for c in text if c not in '\'\\\n\x00') + "'"
    if style == 2:
        return '"' + ''.join(f'\\U{ord(c):08x}' if rng.random() < 0.5 else f'\\x{ord(c) % 256:02X}' for c in text) + '"'
    if style == 3:
        return rng.choice([r"'\a\b\f\v\q\d\8'", r"'\0\07\1234\377'", "'a\\\nb'", r"'\ud83d\ude00'", r"u'\u00e9'",
                           r"R'\d\''", "'''a'b''c\\''''", "'''x\r\ny\rz'''", "'a' \"b\"", "'a'r'\\n'\"\"\"c\"\"\"", r"'\N{DASH}'",
                           "b'a'", "f'a'", r"'\x4'", r"'\U00110000'", r"'\udc00'"])
    return repr(text)


def number():
    return rng.choice([
        lambda: str(rng.randrange(-10**rng.randrange(1, 30), 10**9)),
        lambda: repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-30, 30)),
        lambda: rng.choice(['1_000', '0x1F', '0X_ff', '0o17', '0b1_01', '-0', '+5', '- 7', '.5', '5.', '5.e3', '1e5',
                            '1E+05', '00', '0_0', '01.5', '1_0.2_5', '007e1', '-0.0', '1e-7', '123456789.0e10',
                            '0.0001', '0.00001', '1e15', '1e16', '9007199254740993.0', '12345678901234567890',
                            '01', '1__0', '1_', '0x', '5j', '1e', '--5', '1+2', '0b2', '0o8', 'inf', 'nan']),
    ])()


def word():
    return rng.choice(['True', 'False', 'None'])


def sequence(opener, items, closer, comma):
    text = opener + spaces()
    for index, item in enumerate(items):
        text += (',' if index else '') + spaces() + item + spaces()
    return text + (',' + spaces() if items and comma else '') + closer


def value(depth):
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([string, number, word])()
    kind = rng.randrange(4)
    count = rng.randrange(4)
    if kind == 0:
        entries = {}
        for _ in range(count):
            entries[rng.choice([string, number, word])()] = value(depth - 1)
        items = [key + spaces() + ':' + spaces() + item for key, item in entries.items()]
        return sequence('{', items, '}', rng.random() < 0.3)
    items = [value(depth - 1) for _ in range(count)]
    if kind == 1:
        return sequence('(', items, ')', rng.random() < 0.5)
    return sequence('[', items, ']', rng.random() < 0.3)


TOKENS = ['{', '}', '[', ']', '(', ')', ',', ':', "'", '"', '+', '-', '#', '\\', 'r', 'b', '1', '.', '_', 'None', 'x', '*', '...', "'a'"]


def spoiled(text):
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + (rng.choice(TOKENS) if rng.random() < 0.6 else '') + text[at + rng.randrange(2):]
    return text


def same_key_twice(tree):
    """Python takes 1, 1.0 and True for one key, JSON does not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = [ast.literal_eval(key) for key in node.keys if key]
            if len(set(keys)) < len(keys):
                return True
    return False


def read(literal):
    try:
        if same_key_twice(ast.parse(literal.strip(' \t'), mode='eval')):
            return 'skip'
        return json.dumps(ast.literal_eval(literal), allow_nan=False)
    except (ValueError, SyntaxError, TypeError, MemoryError):
        return None


def is_bare_tuple(literal):
    try:
        tree = ast.parse(literal.strip(' \t'), mode='eval').body
        return isinstance(tree, ast.Tuple) and literal[tree.col_offset] != '('
    except (ValueError, SyntaxError):
        return False


cases = []
while len(cases) < 600:
    literal = value(3)
    if rng.random() < 0.4:
        literal = spoiled(literal)
    result = read(literal)
    if 0 < len(literal) < 160 and result != 'skip' and not is_bare_tuple(literal):
        cases.append({'literal': literal, 'json': result})
json.dump({'about': f'ast.literal_eval of Python {sys.version.split()[0]}; see the .py beside', 'cases': cases}, sys.stdout, indent=1)
