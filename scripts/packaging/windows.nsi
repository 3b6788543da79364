; The installer for Windows, for one user and without an administrator. Compiled by makensis with
; SOURCE, the folder of the application, VERSION and OUT. Quiet with /S.
Unicode true
Name "Tilebench"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Tilebench"
RequestExecutionLevel user
SetCompressor /SOLID lzma
SetDateSave off
ShowInstDetails nevershow
; The folder is not asked for: what is in it is removed whole at an upgrade.
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

!define PROGRAM "$INSTDIR\tilebench-console.exe"
!define CLASSES "Software\Classes"
!define ENTRY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Tilebench"

; A program that runs cannot be replaced: its file is in use.
!macro EndWhereItRuns
  IfFileExists "${PROGRAM}" 0 +5
  ClearErrors
  Delete "${PROGRAM}"
  IfErrors 0 +2
  Abort "Tilebench is open, or its folder may not be changed. End it and start this again."
!macroend

Section
  !insertmacro EndWhereItRuns
  RMDir /r "$INSTDIR"
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Tilebench.lnk" "${PROGRAM}"

  WriteRegStr HKCU "${CLASSES}\.tilebench" "" "Tilebench.Bundle"
  WriteRegStr HKCU "${CLASSES}\Tilebench.Bundle" "" "Tilebench bundle"
  WriteRegStr HKCU "${CLASSES}\Tilebench.Bundle\DefaultIcon" "" "${PROGRAM},0"
  WriteRegStr HKCU "${CLASSES}\Tilebench.Bundle\shell\open\command" "" '"${PROGRAM}" "%1"'
  WriteRegStr HKCU "${CLASSES}\tilebench" "" "URL:Tilebench"
  WriteRegStr HKCU "${CLASSES}\tilebench" "URL Protocol" ""
  WriteRegStr HKCU "${CLASSES}\tilebench\shell\open\command" "" '"${PROGRAM}" "%1"'

  WriteRegStr HKCU "${ENTRY}" "DisplayName" "Tilebench"
  WriteRegStr HKCU "${ENTRY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${ENTRY}" "DisplayIcon" "${PROGRAM}"
  WriteRegStr HKCU "${ENTRY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${ENTRY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${ENTRY}" "NoModify" 1
  WriteRegDWORD HKCU "${ENTRY}" "NoRepair" 1
SectionEnd

; The user's data lies elsewhere, in %APPDATA%, and stays.
Section "Uninstall"
  !insertmacro EndWhereItRuns
  RMDir /r "$INSTDIR"
  Delete "$SMPROGRAMS\Tilebench.lnk"
  DeleteRegKey HKCU "${CLASSES}\.tilebench"
  DeleteRegKey HKCU "${CLASSES}\Tilebench.Bundle"
  DeleteRegKey HKCU "${CLASSES}\tilebench"
  DeleteRegKey HKCU "${ENTRY}"
SectionEnd
