// Text from an endpoint in a page: nothing of it is markup, and control characters are shown.

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const acting = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Line breaks and tabs stay; other control characters become pictures or escapes. */
function visible(text: string): string {
  return text.toWellFormed().replace(acting, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x0a || code === 0x09) return character;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
