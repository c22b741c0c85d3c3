/** Sixty-four each, so that six random bits pick one without bias. Short, friendly, and hard to mishear. */
export const adjectives: readonly string[] = `
  agile amber azure balmy bold brave brisk calm candid cheery clever coral cosmic crisp dapper deft
  eager earnest fabled fleet frank gentle gilded glad golden hardy honest humble ivory jade jolly keen
  limber lively loyal lucid lunar mellow merry misty nimble noble opal patient placid plucky quiet rosy
  rustic serene silver snug solar spry steady sunny swift tidy tranquil velvet vivid warm witty zesty
`
  .trim()
  .split(/\s+/);

export const nouns: readonly string[] = `
  acorn badger beaver bison canyon cedar cricket curlew dolphin eagle egret falcon fern finch fjord gecko
  glacier harbor heron ibex island jaguar kestrel koala lagoon lantern lemur lynx magpie maple marlin meadow
  moose newt ocelot orchid osprey otter panda pebble pelican penguin plover puffin quail rabbit raven river
  robin salmon sparrow squirrel summit swan thistle toucan turtle walnut walrus willow wombat wren yak zebra
`
  .trim()
  .split(/\s+/);
