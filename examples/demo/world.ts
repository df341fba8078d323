/** What the demo knows: an imaginary, unchanging world, so that every answer can be checked. */
export interface City {
  readonly name: string;
  readonly country: string;
  readonly celsius: number;
  readonly conditions: 'sunny' | 'cloudy' | 'rain' | 'snow' | 'wind';
  readonly humidity: number;
}

export const cities: readonly City[] = [
  { name: 'Amsterdam', country: 'Netherlands', celsius: 11, conditions: 'rain', humidity: 87 },
  { name: 'Athens', country: 'Greece', celsius: 24, conditions: 'sunny', humidity: 41 },
  { name: 'Cairo', country: 'Egypt', celsius: 31, conditions: 'sunny', humidity: 22 },
  { name: 'Istanbul', country: 'Türkiye', celsius: 17, conditions: 'cloudy', humidity: 63 },
  { name: 'Kraków', country: 'Poland', celsius: 6, conditions: 'wind', humidity: 70 },
  { name: 'Lisbon', country: 'Portugal', celsius: 19, conditions: 'sunny', humidity: 58 },
  { name: 'London', country: 'United Kingdom', celsius: 10, conditions: 'rain', humidity: 90 },
  { name: 'Oslo', country: 'Norway', celsius: -3, conditions: 'snow', humidity: 80 },
  { name: 'Rome', country: 'Italy', celsius: 21, conditions: 'sunny', humidity: 50 },
  { name: 'Venice', country: 'Italy', celsius: 16, conditions: 'cloudy', humidity: 78 },
  { name: '東京', country: 'Japan', celsius: 15, conditions: 'cloudy', humidity: 60 },
];

export const cityNames: readonly string[] = cities.map((city) => city.name);

export function findCity(name: string): City | undefined {
  const wanted = name.trim().toLowerCase();
  return cities.find((city) => city.name.toLowerCase() === wanted);
}

export interface DemoFile {
  readonly path: string;
  readonly text: string;
}

/** The files that `search_files` walks, folder by folder. */
export const folders: readonly { readonly name: string; readonly files: readonly DemoFile[] }[] = [
  {
    name: 'letters',
    files: [
      { path: 'letters/from-venice.md', text: 'The Doge sends greetings and asks for a dragoman who speaks Persian.' },
      { path: 'letters/to-istanbul.md', text: 'Our interpreter left Venice on the first of May.' },
      { path: 'letters/été.md', text: 'Un été à Venise, traduit par le drogman.' },
    ],
  },
  {
    name: 'treaties',
    files: [
      { path: 'treaties/1479.md', text: 'Peace between Venice and the Sublime Porte, in two languages.' },
      { path: 'treaties/1540.md', text: 'The second peace. The dragoman signed as witness.' },
    ],
  },
  {
    name: 'accounts',
    files: [
      { path: 'accounts/expenses.csv', text: 'item,ducats\nink,2\npaper,3\ninterpreter,40' },
      { path: 'accounts/wages.csv', text: 'who,ducats\nbailo,600\ndragoman,120' },
    ],
  },
  {
    name: 'maps',
    files: [{ path: 'maps/route.md', text: 'Venice, Ragusa, Edirne, Istanbul: 36 days by land.' }],
  },
];
