@echo off
rem The command line: Node and bundle of this folder.
set NODE_OPTIONS=
set NODE_PATH=
"%~dp0resources\console\bin\node.exe" --disable-warning=ExperimentalWarning "%~dp0resources\console\dist\workers\cli.mjs" %*
