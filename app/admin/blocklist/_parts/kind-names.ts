import type { BlockRuleView } from '@/lib/blocklist/schemas'

export type Kind = BlockRuleView['kind']

export const KIND_NAMES: Record<Kind, string> = { host: 'Host', suffix: 'Domain', word: 'Word', client: 'Client' }

export const KINDS: Record<Kind, { many: string; hint: string; example: string }> = {
  host: { many: 'Hosts', hint: 'Destinations on exactly this host.', example: 'bad.example.com' },
  suffix: { many: 'Domains', hint: 'Destinations on this host and all below it.', example: 'example.com' },
  word: { many: 'Words', hint: 'Links with this in their code, title or destination.', example: 'casino' },
  client: { many: 'Clients', hint: 'An address or a range of them that may not make links.', example: '203.0.113.0/24' },
}
