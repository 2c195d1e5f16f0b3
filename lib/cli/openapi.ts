import { openApiDocument } from '@/lib/api/endpoints'

/** Prints the API's OpenAPI document, which the command line and the client of packages/cli are made from. */
process.stdout.write(JSON.stringify(openApiDocument({ BASE_URL: 'http://localhost:3000' })))
