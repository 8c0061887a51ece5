// More tools as agents have them and how people ask for them. The frozen test does not have them: they are only for the
// training.

import type { Everyday } from './everyday-requests.js';

export const AGENT_REQUESTS: readonly Everyday[] = [
  {
    names: 'edit_file, edit, str_replace, replace_in_file, Edit, apply_edit',
    en: 'Replace text in a file|Edits a file: replaces one text by another',
    zh: '替换文件中的文字|编辑文件',
    slots: 'path, old, new',
    asked: `Replace "{old}" with "{new}" in {path}
In {path}, change "{old}" to "{new}".
Change "{old}" to "{new}" in the file {path}
{path}: "{old}" should be "{new}"
Edit {path} so that "{old}" becomes "{new}"
Fix {path}, it says "{old}" but it must say "{new}"
swap "{old}" for "{new}" in {path}
There is "{old}" in {path}, make that "{new}"
Can you replace the text "{old}" by "{new}" in {path}?
Put "{new}" where {path} has "{old}"`,
    askedZh: `把{path}里的“{old}”改成“{new}”
将{path}中的“{old}”替换为“{new}”
编辑{path}，用“{new}”代替“{old}”
{path}里“{old}”写错了，应该是“{new}”
在{path}中把“{old}”换成“{new}”`,
  },
  {
    names: 'delete_file, remove_file, rm, unlink, deleteFile',
    en: 'Delete a file|Removes a file for good',
    zh: '删除文件',
    slots: 'path',
    asked: `Delete {path}
Delete the file {path}.
Remove {path}
rm {path}
Get rid of {path}
{path} can go
I don't need {path} any more, delete it
Please remove the file {path}
Throw {path} out
Delete {path} and {path#2}
Could you delete {path}?
Clean up {path}`,
    askedZh: `删除{path}
把{path}删掉
{path}不要了，删了吧
请移除文件{path}
删除{path}和{path#2}`,
  },
  {
    names: 'move_file, rename_file, mv, rename, moveFile',
    en: 'Move or rename a file',
    zh: '移动或重命名文件',
    slots: 'path, target',
    asked: `Move {path} to {target}
Rename {path} to {target}.
mv {path} {target}
{path} should be called {target}
Give {path} the name {target}
Put {path} into {target}
Can you rename the file {path} to {target}?
Take {path} and move it over to {target}
I want {path} to be at {target}
Change the name of {path} to {target}`,
    askedZh: `把{path}移到{target}
将{path}重命名为{target}
{path}改名为{target}
把{path}挪到{target}
移动{path}到{target}`,
  },
  {
    names: 'glob, find_files, file_search, Glob, findFiles',
    en: 'Find files by a pattern of their names|Lists the files that match a glob',
    zh: '按名称模式查找文件',
    slots: 'glob, folder',
    asked: `Find all {glob} in {folder}
Which files match {glob}?
List {glob} under {folder}
glob {glob}
Find files that match {glob} in {folder}
Where are the {glob} files?
Show me every {glob} below {folder}
Are there any {glob} in {folder}?
Look for files named {glob}
I need the list of {glob}`,
    askedZh: `在{folder}里找{glob}
查找匹配{glob}的文件
{folder}下有哪些{glob}？
列出所有{glob}
找出{folder}中的{glob}`,
  },
  {
    names: 'create_directory, mkdir, make_folder, createFolder, make_dir',
    en: 'Create a folder',
    zh: '创建目录',
    slots: 'folder',
    asked: `Create the folder {folder}
Make a directory {folder}.
mkdir {folder}
I need a folder {folder}
Make a new folder called {folder}
Set up the directory {folder}
Please create {folder}, it is a folder
Create {folder} and {folder#2}
New folder: {folder}
Can you make me the folder {folder}?`,
    askedZh: `创建目录{folder}
新建文件夹{folder}
建一个{folder}目录
我需要一个文件夹{folder}
创建{folder}和{folder#2}两个目录`,
  },
  {
    names: 'git_push, push_branch, push, gitPush',
    en: 'Push a branch to the remote',
    zh: '推送分支',
    slots: 'branch',
    asked: `Push {branch}
git push origin {branch}
Push the branch {branch} to the remote
Publish {branch}
Get {branch} onto the server
Upload my branch {branch}
Can you push {branch}?
I want {branch} pushed
Send the commits of {branch} to origin`,
    askedZh: `推送{branch}
把{branch}分支推上去
推送分支{branch}到远程
发布{branch}分支`,
  },
  {
    names: 'list_tasks, get_tasks, show_todos, todo_list, listTasks',
    en: 'List the open tasks of a person',
    zh: '列出某人的任务',
    slots: 'person',
    asked: `What does {person} have to do?
Show me the tasks of {person}.
List the open tasks of {person}
todo list of {person}
What is on the plate of {person}?
Which tasks does {person} have?
What is {person} working on?
tasks {person}
Does {person} have anything to do?
Give me all the todos of {person} and {person#2}`,
    askedZh: `{person}有哪些任务？
列出{person}的任务
{person}要做什么
看看{person}的待办事项`,
  },
  {
    names: 'add_task, create_task, new_todo, addTask, todo_add',
    en: 'Add a task to the list',
    zh: '添加任务',
    slots: 'body, person',
    asked: `Add a task: "{body}"
Add "{body}" to my list
New task "{body}" for {person}
{person} has to do "{body}", make it a task
todo: {body}
Give {person} the task "{body}"
Put "{body}" on the list
I must not miss "{body}", add it to the tasks
Create a task for {person}: "{body}"
Ask {person} to do "{body}", as a task`,
    askedZh: `添加任务：“{body}”
给{person}加一个任务“{body}”
把“{body}”放进待办
新任务“{body}”，交给{person}
待办：{body}`,
  },
];
