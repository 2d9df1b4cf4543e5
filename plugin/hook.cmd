@echo off
rem Starts the hook process, as hook.sh does on other systems. However it ends, the host reads an answer.
setlocal
set "note=%LOCALAPPDATA%\lacuna\runtime"
set "runtime="
if exist "%note%" set /p runtime=<"%note%"
if not defined runtime goto path
if not exist "%runtime%" goto path
set ELECTRON_RUN_AS_NODE=1
"%runtime%" "%~dp0..\dist\hook.js" %*
goto ended
:path
where node >nul 2>nul || goto none
node "%~dp0..\dist\hook.js" %*
:ended
if %errorlevel% equ 0 exit /b 0
if %errorlevel% equ 2 exit /b 2
set "why=Lacuna refuses: its hook process ended without an answer."
goto refuse
:none
set "why=Lacuna cannot start: there is no Node. Open the editor once, or install Node 20."
:refuse
echo %* | findstr /c:"--agent vscode" >nul || (
  echo %why% 1>&2
  exit /b 2
)
echo {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%why%"},"permissionDecision":"deny","permissionDecisionReason":"%why%"}
