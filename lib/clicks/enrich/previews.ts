/**
 * Who fetches a page to show a card of it where someone wrote its URL, by what it sends. The first that matches
 * counts: many name Facebook's or Twitter's fetcher besides themselves to be let in. The apps of the same
 * names have in-app browsers, whose clicks are people's (`[Pinterest/iOS]`, `Line/14.0.0/IAB`, `Snapchat/12`).
 */
const PREVIEWS: readonly [pattern: RegExp, name: string][] = [
  // A Mac by its looks, from the address of the person who got the message
  [/facebookexternalhit\/\S+ Facebot Twitterbot/i, 'iMessage'],
  [/kakaotalk-scrap/i, 'KakaoTalk'],
  [/line-poker/i, 'LINE'],
  [/TelegramBot/i, 'Telegram'],
  [/Slackbot|Slack-ImgProxy/i, 'Slack'],
  [/Discordbot/i, 'Discord'],
  // Signal sends this as well
  [/^WhatsApp\b/i, 'WhatsApp'],
  [/SkypeUriPreview/i, 'Skype'],
  [/MicrosoftPreview/i, 'Microsoft'],
  [/facebookexternalhit|\bFacebot\b/i, 'Facebook'],
  [/Twitterbot/i, 'X'],
  [/LinkedInBot/i, 'LinkedIn'],
  [/\bCardyb\b/i, 'Bluesky'],
  [/\bMastodon\/\d/i, 'Mastodon'],
  [/SummalyBot/i, 'Misskey'],
  [/^(?:Pleroma|Akkoma)\b/i, 'Pleroma'],
  [/^Lemmy\/\d/i, 'Lemmy'],
  [/redditbot/i, 'Reddit'],
  [/Pinterestbot|^Pinterest\/\d/i, 'Pinterest'],
  [/vkShare/i, 'VK'],
  [/OdklBot/i, 'Odnoklassniki'],
  [/^Viber\b|Viber-Url-Downloader/i, 'Viber'],
  [/Snap URL Preview/i, 'Snapchat'],
  [/Synapse \(bot;/i, 'Matrix'],
  [/compatible; January\/\d/i, 'Revolt'],
  [/mattermost-bot/i, 'Mattermost'],
  [/ZulipURLPreview/i, 'Zulip'],
  [/WebexTeams/i, 'Webex'],
  [/NotionEmbedder|Iframely\/.*\bNotion\b/i, 'Notion'],
  [/^Asana\/\d.*WebsiteMetadataRetriever/i, 'Asana'],
  [/Iframely\/\d/i, 'Iframely'],
  [/\bEmbedly\b/i, 'Embedly'],
  [/XING-contenttabreceiver/i, 'XING'],
  [/FlipboardProxy/i, 'Flipboard'],
  [/^Tumblr\/\d/i, 'Tumblr'],
  // Google Messages and Chat
  [/Google-PageRenderer|\bGoogle \(\+https:\/\/developers\.google\.com\/\+\/web\/snippet/i, 'Google'],
  [/Yahoo Link Preview/i, 'Yahoo'],
  [/\bquora link preview/i, 'Quora'],
  [/(?:link|url|uri)[ _-]?preview/i, ''],
]

const ANY = new RegExp(PREVIEWS.map(([{ source }]) => `(?:${source})`).join('|'), 'i')

/** Whether such an app asks: not a search engine, and not a person in an app. */
export const isPreviewFetcher = (userAgent: string): boolean => ANY.test(userAgent)

/** The name of the fetcher, empty for one that only says what it does; null for anything else. */
export function previewName(userAgent: string): string | null {
  return PREVIEWS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}
