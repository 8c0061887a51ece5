// Tokens for code that many tokenizers have from StarCoder's: to fill in the middle, and around files, issues, commits.

export const codeTokens: readonly string[] = (
  '<fim_prefix> <fim_middle> <fim_suffix> <fim_pad> <filename> <gh_stars> <issue_start> <issue_comment> <issue_closed> ' +
  '<jupyter_start> <jupyter_text> <jupyter_code> <jupyter_output> <empty_output> <commit_before> <commit_msg> ' +
  '<commit_after> <reponame>'
).split(' ');
