@echo off
rem Starts the hook process, as hook.sh does on other systems.
setlocal
set "note=%LOCALAPPDATA%\lacuna\runtime"
set "runtime="
if exist "%note%" set /p runtime=<"%note%"
if defined runtime if exist "%runtime%" (
  set ELECTRON_RUN_AS_NODE=1
  "%runtime%" "%~dp0..\dist\hook.js" %*
  exit /b %errorlevel%
)
where node >nul 2>nul && (
  node "%~dp0..\dist\hook.js" %*
  exit /b %errorlevel%
)
echo {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Lacuna cannot start: there is no Node."},"permissionDecision":"deny","permissionDecisionReason":"Lacuna cannot start: there is no Node."}
