// The tools that were offered, behind a button that counts them.

import { Menu } from '../../parts/menu.jsx';
import type { ReadTools } from '../../reading/index.js';
import { ToolsEditor } from '../../reading/tools-editor.jsx';
import { words } from '../../words/words.js';

export function ToolsMenu(props: { text: string; read: ReadTools; onText(text: string): void }) {
  const amount = () => ('names' in props.read ? props.read.names.length : words().tools.broken);
  const title = () => (
    <>
      {words().tools.title} <b class="amount">{amount()}</b>
    </>
  );
  return (
    <Menu class="tools-menu" title={title()}>
      <ToolsEditor {...props} about={words().tools.about} otherwise={words().tools.without} />
    </Menu>
  );
}
