// What a careless dependency does while it loads.
console.log('noise while loading');
process.stdout.write('more noise\n');

export const noise = 'made';
