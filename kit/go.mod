module tilekit

go 1.19
