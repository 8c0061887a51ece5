// The conversation: its messages, its tools.

import { MessageList, type MessageListProps } from './message-list.js';
import { ToolsEditor } from './tools-editor.js';

export function ConversationEditor(props: MessageListProps) {
  // On a phone the tools would stand between the conversation and what becomes of it.
  const wide = matchMedia('(min-width: 56rem)').matches;
  return (
    <>
      <MessageList {...props} />
      <details class="write-panel" open={wide}>
        <summary>Tools</summary>
        <ToolsEditor
          tools={props.draft.tools}
          problem={props.problem}
          onInput={(tools) => props.edit('tools', tools)}
        />
      </details>
    </>
  );
}
