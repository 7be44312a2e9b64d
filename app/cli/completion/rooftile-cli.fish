# Completion for fish: rooftile-cli itself says what fits.
complete -c rooftile-cli -a '(rooftile-cli complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
