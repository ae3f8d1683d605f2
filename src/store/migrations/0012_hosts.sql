-- Sessions name their host; events have our own names, the kind of the tool and the file of the call.
ALTER TABLE sessions ADD COLUMN host TEXT NOT NULL DEFAULT 'claude-code';
ALTER TABLE sessions RENAME COLUMN claude_pid TO host_pid;
ALTER TABLE questions RENAME COLUMN claude_pid TO host_pid;
ALTER TABLE events ADD COLUMN tool_kind TEXT;
ALTER TABLE events ADD COLUMN file_path TEXT;

-- All earlier rows are in the format of Claude Code.
UPDATE events SET
  event = CASE event
    WHEN 'SessionStart' THEN 'session.started'
    WHEN 'UserPromptSubmit' THEN 'prompt'
    WHEN 'PreToolUse' THEN 'tool.before'
    WHEN 'PermissionRequest' THEN 'permission'
    WHEN 'PermissionDenied' THEN 'permission.denied'
    WHEN 'PostToolUse' THEN 'tool.after'
    WHEN 'PostToolUseFailure' THEN 'tool.failed'
    WHEN 'Notification' THEN CASE iif(json_valid(payload), payload ->> '$.notification_type', '')
      WHEN 'idle_prompt' THEN 'session.idle'
      WHEN 'permission_prompt' THEN 'input.needed'
      WHEN 'elicitation_dialog' THEN 'input.needed'
      WHEN 'agent_needs_input' THEN 'input.needed'
      ELSE 'notification' END
    WHEN 'SubagentStart' THEN 'subagent.started'
    WHEN 'SubagentStop' THEN 'subagent.ended'
    WHEN 'PreCompact' THEN 'compact.before'
    WHEN 'PostCompact' THEN 'compact.after'
    WHEN 'Stop' THEN 'turn.ended'
    WHEN 'StopFailure' THEN 'turn.failed'
    WHEN 'SessionEnd' THEN 'session.ended'
    WHEN 'Elicitation' THEN 'dialog.opened'
    WHEN 'ElicitationResult' THEN 'dialog.closed'
    ELSE 'other' END,
  tool_kind = CASE
    WHEN tool_name IS NULL THEN NULL
    WHEN tool_name IN ('Read', 'NotebookRead') THEN 'read'
    WHEN tool_name IN ('Edit', 'MultiEdit', 'Write', 'NotebookEdit') THEN 'edit'
    WHEN tool_name IN ('Bash', 'BashOutput', 'KillShell') THEN 'run'
    WHEN tool_name = 'AskUserQuestion' THEN 'ask'
    WHEN tool_name = 'ExitPlanMode' THEN 'plan'
    WHEN tool_name IN ('Agent', 'Task') THEN 'delegate'
    WHEN tool_name IN ('Glob', 'Grep', 'LS') THEN 'search'
    WHEN tool_name IN ('WebFetch', 'WebSearch') THEN 'web'
    WHEN tool_name IN ('TodoWrite', 'ListMcpResources', 'ReadMcpResource', 'SlashCommand', 'Skill', 'ToolSearch', 'TaskList',
      'TaskCreate', 'TaskUpdate') OR tool_name GLOB 'mcp__rookery*' OR tool_name GLOB 'mcp__plugin_rookery*' THEN 'housekeeping'
    ELSE 'other' END,
  file_path = CASE WHEN tool_name IS NOT NULL AND json_valid(payload) THEN
    coalesce(nullif(payload ->> '$.tool_input.file_path', ''), nullif(payload ->> '$.tool_input.notebook_path', '')) END;

UPDATE injections SET point = CASE point
  WHEN 'SessionStart' THEN 'session.started'
  WHEN 'UserPromptSubmit' THEN 'prompt'
  WHEN 'PreToolUse' THEN 'tool.before'
  WHEN 'PostToolUse' THEN 'tool.after'
  ELSE point END;
UPDATE deliveries SET injection_point = CASE injection_point
  WHEN 'SessionStart' THEN 'session.started'
  WHEN 'UserPromptSubmit' THEN 'prompt'
  WHEN 'PostToolUse' THEN 'tool.after'
  ELSE injection_point END
WHERE injection_point IS NOT NULL;
