// offends: infra-no-http-server-package
import express from 'express';

export const offence = express;
