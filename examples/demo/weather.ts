import type { Server } from '@dragoman/server';
import { cities, cityNames, findCity } from './world.ts';

const weather = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    country: { type: 'string' },
    temperature: { type: 'number' },
    unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    conditions: { type: 'string', enum: ['sunny', 'cloudy', 'rain', 'snow', 'wind'] },
    humidity: { type: 'integer', minimum: 0, maximum: 100 },
  },
  required: ['city', 'country', 'temperature', 'unit', 'conditions', 'humidity'],
} as const;

/** Structured output, a mirrored argument, and a template with completion. */
export function addWeather(server: Server): void {
  server.tool(
    'get_weather',
    {
      title: 'Weather',
      description: 'The weather in a city',
      input: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'For example Rome', 'x-mcp-header': 'City' },
          unit: { type: 'string', enum: ['celsius', 'fahrenheit'], default: 'celsius' },
        },
        required: ['city'],
        additionalProperties: false,
      },
      output: weather,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ city, unit }) => {
      const found = findCity(String(city));
      if (found === undefined) {
        return { text: `No weather for ${JSON.stringify(city)}. Known: ${cityNames.join(', ')}`, isError: true };
      }
      const fahrenheit = unit === 'fahrenheit';
      const temperature = fahrenheit ? Math.round(found.celsius * 1.8 + 32) : found.celsius;
      const structured = {
        city: found.name,
        country: found.country,
        temperature,
        unit: fahrenheit ? 'fahrenheit' : 'celsius',
        conditions: found.conditions,
        humidity: found.humidity,
      };
      return {
        text: `${found.name}: ${temperature} °${fahrenheit ? 'F' : 'C'}, ${found.conditions}, ${found.humidity} % humidity`,
        structured,
      };
    },
  );

  server.resourceTemplate(
    'weather://{city}',
    {
      name: 'weather',
      title: 'Weather by city',
      description: 'The weather in a city, as JSON',
      mimeType: 'application/json',
      complete: { city: cityNames },
      cache: { ttlMs: 60_000, scope: 'public' },
    },
    (_uri, { city }) => {
      const found = findCity(String(city));
      return found === undefined ? undefined : JSON.stringify(found);
    },
  );

  server.resource(
    'demo://cities',
    {
      name: 'cities',
      title: 'Cities',
      description: 'Every city that the demo knows',
      mimeType: 'text/markdown',
      cache: { ttlMs: 300_000, scope: 'public' },
    },
    () => `# Cities\n\n${cities.map((city) => `- **${city.name}**, ${city.country}`).join('\n')}\n`,
  );
}
