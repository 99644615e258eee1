"""What the real engine's parser accepts and refuses, and in which words."""
