import { Argument, type Command } from 'commander'
import { examples } from '../command.js'
import { print } from '../terminal.js'

/** Each asks `terse __complete` for the words that can follow; without any, the shell offers files. */
const SCRIPTS = {
  bash: `_terse() {
  local IFS=$'\\n'
  COMPREPLY=($(terse __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _terse terse`,
  zsh: `#compdef terse
_terse() {
  local -a found
  local line
  for line in "\${(@f)$(terse __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe terse found; else _files; fi
}
if [[ $funcstack[1] == _terse ]]; then _terse "$@"; else compdef _terse terse; fi`,
  fish: `function __terse_complete
  set -l tokens (commandline -opc) (commandline -ct)
  set -l found (terse __complete -- $tokens[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c terse -f -a '(__terse_complete)'`,
} as const

export function addCompletion(program: Command): void {
  const command = program
    .command('completion')
    .summary('print completion for your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => print(SCRIPTS[shell]))
  examples(
    command,
    'echo \'eval "$(terse completion bash)"\' >> ~/.bashrc',
    'echo \'eval "$(terse completion zsh)"\' >> ~/.zshrc',
    'terse completion fish > ~/.config/fish/completions/terse.fish',
  )
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const { word, about } of candidates(program, words)) print(`${word}\t${about}`)
    })
}

interface Candidate {
  word: string
  about: string
}

/** What can stand for the last of these words, which may be begun. */
export function candidates(program: Command, words: readonly string[]): Candidate[] {
  const begun = words.at(-1) ?? ''
  let command = program
  let previous = ''
  let given = 0
  for (const word of words.slice(0, -1)) {
    const takesValue = optionOf(command, previous)?.required === true
    const next = takesValue ? undefined : command.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (next) command = next
    else if (!takesValue && !word.startsWith('-')) given += 1
    previous = word
  }
  return possible(command, previous, given, begun).filter(({ word }) => word.startsWith(begun))
}

function possible(command: Command, previous: string, given: number, begun: string): Candidate[] {
  const option = optionOf(command, previous)
  if (option?.required) return (option.argChoices ?? []).map((word) => ({ word, about: option.description }))
  if (begun.startsWith('-')) {
    const options = command.createHelp().visibleOptions(command)
    return options.flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : []))
  }
  const { commands, registeredArguments } = command
  const argument = registeredArguments[Math.min(given, registeredArguments.length - 1)]
  const visible = command.createHelp().visibleCommands(command)
  return [
    ...(commands.length > 0 ? visible.map((one) => ({ word: one.name(), about: one.summary() || one.description() })) : []),
    ...(argument?.argChoices ?? []).map((word) => ({ word, about: argument?.description ?? '' })),
  ]
}

const optionOf = (command: Command, word: string) =>
  command.options.find(({ short, long }) => word !== '' && (word === short || word === long))
