"""The console command ``nlfol``: JSON Lines in, JSON Lines out."""
