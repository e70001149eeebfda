"""Whether a training gives the same when it is done in another way: accumulated, resumed, distributed, compiled, …"""
