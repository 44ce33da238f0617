package pte

// Encode writes a program without checks, to make wrong files.
var Encode = encode
